/// Names of common emoji, as CLDR and GitHub have them.
package enum EmojiNames {
    /// Emoji in the order in which they are offered, the common ones first, each with its names.
    private static let table: [(emoji: String, names: [Substring])] = text.split(separator: "\n").flatMap { row in
        row.split(separator: ", ").compactMap { entry in
            let words = entry.split(separator: " ")
            return words.first.map { (String($0), Array(words.dropFirst())) }
        }
    }

    private static let emojiByName = Dictionary(
        table.flatMap { entry in entry.names.map { (String($0), entry.emoji) } },
        uniquingKeysWith: { first, _ in first })

    /// Emoji with a name that begins like this, each once: exact names first, then in the order of the table.
    ///
    /// - Parameter beginning: without the colon, in any case; one character or more.
    package static func emoji(beginning: some StringProtocol) -> [String] {
        let wanted = beginning.lowercased()
        guard !wanted.isEmpty else { return [] }
        let exact = emojiByName[wanted].map { [$0] } ?? []
        return exact
            + table.filter { entry in entry.names.contains { $0.hasPrefix(wanted) } && entry.emoji != exact.first }
            .map(\.emoji)
    }

    /// - Parameter word: `:thumbs_up:`, in any case.
    /// - Returns: `nil` if it is anything else.
    package static func emoji(_ word: String) -> String? {
        guard word.utf8.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return nil }
        return emojiByName[word.dropFirst().dropLast().lowercased()]
    }

    /// One literal, read at the first use: a table of thousands of values takes long to compile.
    private static let text = """
        👍 thumbs_up +1 thumbsup, 👎 thumbs_down -1 thumbsdown, ❤️ red_heart heart
        😂 face_with_tears_of_joy joy, 🎉 party_popper tada, 🙏 folded_hands pray, 👏 clapping_hands clap
        🔥 fire, 👀 eyes, ✅ check_mark_button white_check_mark check, ❌ cross_mark x, 💯 hundred_points 100
        😀 grinning_face grinning, 😃 grinning_face_with_big_eyes smiley
        😄 grinning_face_with_smiling_eyes smile, 😁 beaming_face_with_smiling_eyes grin
        😆 grinning_squinting_face satisfied laughing, 😅 grinning_face_with_sweat sweat_smile
        🤣 rolling_on_the_floor_laughing rofl, 🙂 slightly_smiling_face, 🙃 upside_down_face
        😉 winking_face wink, 😊 smiling_face_with_smiling_eyes blush, 😇 smiling_face_with_halo innocent
        🥰 smiling_face_with_hearts smiling_face_with_three_hearts, 😍 smiling_face_with_heart_eyes heart_eyes
        🤩 star_struck, 😘 face_blowing_a_kiss kissing_heart, 😗 kissing_face kissing
        😚 kissing_face_with_closed_eyes kissing_closed_eyes
        😙 kissing_face_with_smiling_eyes kissing_smiling_eyes, 😋 face_savoring_food yum
        😛 face_with_tongue stuck_out_tongue, 😜 winking_face_with_tongue stuck_out_tongue_winking_eye
        🤪 zany_face, 😝 squinting_face_with_tongue stuck_out_tongue_closed_eyes, 🤑 money_mouth_face
        🤗 smiling_face_with_open_hands hugging_face hugs, 🤭 face_with_hand_over_mouth hand_over_mouth
        🤫 shushing_face, 🤔 thinking_face thinking, 🤐 zipper_mouth_face
        🤨 face_with_raised_eyebrow raised_eyebrow, 😐 neutral_face, 😑 expressionless_face expressionless
        😶 face_without_mouth no_mouth, 😏 smirking_face smirk, 😒 unamused_face unamused
        🙄 face_with_rolling_eyes eye_roll roll_eyes, 😬 grimacing_face grimacing, 🤥 lying_face
        😌 relieved_face relieved, 😔 pensive_face pensive, 😪 sleepy_face sleepy, 🤤 drooling_face
        😴 sleeping_face sleeping, 😷 face_with_medical_mask mask, 🤒 face_with_thermometer
        🤕 face_with_head_bandage, 🤢 nauseated_face, 🤮 face_vomiting vomiting_face, 🤧 sneezing_face
        🥵 hot_face, 🥶 cold_face, 🥴 woozy_face, 😵 face_with_crossed_out_eyes dizzy_face knocked_out_face
        🤯 exploding_head, 🤠 cowboy_hat_face, 🥳 partying_face party
        😎 smiling_face_with_sunglasses sunglasses, 🤓 nerd_face, 🧐 face_with_monocle monocle_face
        😕 confused_face confused, 😟 worried_face worried, 🙁 slightly_frowning_face
        😮 face_with_open_mouth open_mouth, 😯 hushed_face hushed, 😲 astonished_face astonished
        😳 flushed_face flushed, 🥺 pleading_face, 😦 frowning_face_with_open_mouth frowning
        😧 anguished_face anguished, 😨 fearful_face fearful, 😰 anxious_face_with_sweat cold_sweat
        😥 sad_but_relieved_face disappointed_relieved, 😢 crying_face cry, 😭 loudly_crying_face sob
        😱 face_screaming_in_fear scream, 😖 confounded_face confounded, 😣 persevering_face persevere
        😞 disappointed_face disappointed, 😓 downcast_face_with_sweat sweat, 😩 weary_face weary, 😫 tired_face
        🥱 yawning_face, 😤 face_with_steam_from_nose triumph, 😡 enraged_face rage pout, 😠 angry_face angry
        🤬 face_with_symbols_on_mouth cursing_face, 😈 smiling_face_with_horns smiling_imp
        👿 angry_face_with_horns imp, 💀 skull, 💩 pile_of_poo poop hankey shit, 🤡 clown_face, 👻 ghost, 👽 alien
        👾 alien_monster space_invader, 🤖 robot robot_face, 😺 grinning_cat smiley_cat
        😸 grinning_cat_with_smiling_eyes smile_cat, 😹 cat_with_tears_of_joy joy_cat
        😻 smiling_cat_with_heart_eyes heart_eyes_cat, 😼 cat_with_wry_smile smirk_cat, 😽 kissing_cat
        🙀 weary_cat scream_cat, 😿 crying_cat crying_cat_face, 😾 pouting_cat
        🙈 see_no_evil_monkey see_no_evil, 🙉 hear_no_evil_monkey hear_no_evil
        🙊 speak_no_evil_monkey speak_no_evil, 💋 kiss_mark kiss, 💌 love_letter, 💘 heart_with_arrow cupid
        💝 heart_with_ribbon gift_heart, 💖 sparkling_heart, 💗 growing_heart heartpulse
        💓 beating_heart heartbeat, 💞 revolving_hearts, 💕 two_hearts, 💔 broken_heart, 🧡 orange_heart
        💛 yellow_heart, 💚 green_heart, 💙 blue_heart, 💜 purple_heart, 🤎 brown_heart, 🖤 black_heart
        🤍 white_heart, 💢 anger_symbol anger, 💥 collision boom, 💫 dizzy, 💦 sweat_droplets sweat_drops
        💨 dashing_away dash, 💬 speech_balloon, 💭 thought_balloon, 💤 zzz, 👋 waving_hand wave
        🤚 raised_back_of_hand, ✋ raised_hand hand, 🖖 vulcan_salute, 👌 ok_hand, 🤏 pinching_hand
        ✌️ victory_hand v, 🤞 crossed_fingers, 🤟 love_you_gesture, 🤘 sign_of_the_horns metal, 🤙 call_me_hand
        👈 backhand_index_pointing_left point_left, 👉 backhand_index_pointing_right point_right
        👆 backhand_index_pointing_up point_up_2, 👇 backhand_index_pointing_down point_down
        ☝️ index_pointing_up point_up, ✊ raised_fist fist fist_raised
        👊 oncoming_fist fist_oncoming punch facepunch, 🤛 left_facing_fist fist_left
        🤜 right_facing_fist fist_right, 🙌 raising_hands raised_hands, 👐 open_hands, 🤲 palms_up_together
        🤝 handshake, ✍️ writing_hand, 💅 nail_polish nail_care, 💪 flexed_biceps muscle, 👂 ear, 👃 nose
        🧠 brain, 🦷 tooth, 👅 tongue, 👄 mouth lips, 👶 baby, 🧒 child, 👦 boy, 👧 girl, 🧑 person adult, 👨 man
        👩 woman, 🧓 older_person older_adult, 👴 old_man older_man, 👵 old_woman older_woman
        🙍 person_frowning frowning_person, 🙎 person_pouting pouting_face person_with_pouting_face
        🙅 person_gesturing_no no_good, 🙆 person_gesturing_ok ok_person
        💁 person_tipping_hand tipping_hand_person information_desk_person
        🙋 person_raising_hand raising_hand, 🙇 person_bowing bow, 🤦 person_facepalming facepalm
        🤷 person_shrugging shrug, 👮 police_officer cop, 👷 construction_worker, 👑 crown, 🦸 superhero, 🧙 mage
        🧚 fairy, 🧛 vampire, 🧜 merperson, 🧝 elf, 🧟 zombie, 💃 woman_dancing dancer, 🕺 man_dancing
        🏃 person_running runner running, 🚶 person_walking walking, 🧘 person_in_lotus_position lotus_position
        🛌 person_in_bed sleeping_bed sleeping_accommodation, 👫 woman_and_man_holding_hands couple, 👪 family
        👣 footprints, 🐵 monkey_face, 🐶 dog_face dog, 🐺 wolf, 🦊 fox fox_face, 🦝 raccoon, 🐱 cat_face cat
        🦁 lion lion_face, 🐯 tiger_face tiger, 🐴 horse_face horse, 🦄 unicorn unicorn_face, 🦓 zebra, 🦌 deer
        🐮 cow_face cow, 🐷 pig_face pig, 🐗 boar, 🐑 ewe sheep, 🐐 goat, 🐫 two_hump_camel camel, 🦒 giraffe
        🐘 elephant, 🦏 rhinoceros, 🐭 mouse_face mouse, 🐹 hamster, 🐰 rabbit_face rabbit, 🐿️ chipmunk
        🦔 hedgehog, 🦇 bat, 🐻 bear, 🐨 koala, 🐼 panda panda_face, 🦥 sloth, 🦦 otter, 🦨 skunk, 🦘 kangaroo
        🐾 paw_prints feet, 🦃 turkey, 🐔 chicken, 🐣 hatching_chick, 🐦 bird, 🐧 penguin, 🕊️ dove dove_of_peace
        🦅 eagle, 🦆 duck, 🦢 swan, 🦉 owl, 🐸 frog, 🐊 crocodile, 🐢 turtle, 🦎 lizard, 🐍 snake, 🐲 dragon_face
        🐉 dragon, 🐳 spouting_whale whale, 🐬 dolphin flipper, 🐟 fish, 🦈 shark, 🐙 octopus
        🐚 spiral_shell shell, 🐌 snail, 🦋 butterfly, 🐛 bug, 🐜 ant, 🐝 honeybee bee, 🐞 lady_beetle beetle
        🕷️ spider, 🦟 mosquito, 💐 bouquet, 🌸 cherry_blossom, 🌹 rose, 🌻 sunflower, 🌼 blossom, 🌷 tulip
        🌱 seedling, 🌲 evergreen_tree, 🌳 deciduous_tree, 🌴 palm_tree, 🌵 cactus, 🌾 sheaf_of_rice ear_of_rice
        🌿 herb, 🍀 four_leaf_clover, 🍁 maple_leaf, 🍂 fallen_leaf, 🍃 leaf_fluttering_in_wind leaves
        🍄 mushroom, 🍇 grapes, 🍉 watermelon, 🍊 tangerine orange mandarin, 🍋 lemon, 🍌 banana, 🍍 pineapple
        🥭 mango, 🍎 red_apple apple, 🍐 pear, 🍑 peach, 🍒 cherries, 🍓 strawberry, 🥝 kiwi_fruit, 🍅 tomato
        🥥 coconut, 🥑 avocado, 🍆 eggplant, 🥔 potato, 🥕 carrot, 🌽 ear_of_corn corn, 🌶️ hot_pepper, 🥒 cucumber
        🥦 broccoli, 🧄 garlic, 🧅 onion, 🥜 peanuts, 🌰 chestnut, 🍞 bread, 🥐 croissant, 🥖 baguette_bread
        🥨 pretzel, 🥯 bagel, 🥞 pancakes, 🧇 waffle, 🧀 cheese_wedge cheese, 🍖 meat_on_bone, 🍗 poultry_leg
        🥩 cut_of_meat, 🥓 bacon, 🍔 hamburger, 🍟 french_fries fries, 🍕 pizza, 🌭 hot_dog hotdog, 🥪 sandwich
        🌮 taco, 🌯 burrito, 🍳 cooking egg fried_egg, 🥘 shallow_pan_of_food, 🍲 pot_of_food stew, 🥗 green_salad
        🍿 popcorn, 🧈 butter, 🧂 salt, 🍱 bento_box bento, 🍚 cooked_rice rice, 🍛 curry_rice curry
        🍜 steaming_bowl ramen, 🍝 spaghetti, 🍣 sushi, 🍤 fried_shrimp, 🍦 soft_ice_cream icecream, 🍩 doughnut
        🍪 cookie, 🎂 birthday_cake birthday, 🍰 shortcake cake, 🧁 cupcake, 🥧 pie, 🍫 chocolate_bar, 🍬 candy
        🍭 lollipop, 🍯 honey_pot, 🍼 baby_bottle, 🥛 glass_of_milk milk_glass, ☕ hot_beverage coffee
        🍵 teacup_without_handle tea, 🍷 wine_glass, 🍸 cocktail_glass cocktail, 🍹 tropical_drink
        🍺 beer_mug beer, 🍻 clinking_beer_mugs beers, 🥂 clinking_glasses, 🥃 tumbler_glass, 🧃 beverage_box
        🧊 ice ice_cube, 🍽️ fork_and_knife_with_plate plate_with_cutlery, 🍴 fork_and_knife, 🥄 spoon
        🔪 kitchen_knife hocho knife, 🌍 globe_showing_europe_africa earth_africa, 🗺️ world_map, 🧭 compass
        ⛰️ mountain, 🌋 volcano, 🏕️ camping, 🏖️ beach_with_umbrella beach_umbrella, 🏝️ desert_island, 🏠 house
        🏡 house_with_garden, 🏢 office_building office, 🏥 hospital, 🏫 school, 🏭 factory
        🏰 castle european_castle, ⛪ church, ⛺ tent, 🌃 night_with_stars, 🌅 sunrise, 🌇 sunset city_sunrise
        🌉 bridge_at_night, 🎡 ferris_wheel, 🎢 roller_coaster, 🎪 circus_tent, 🚂 locomotive steam_locomotive
        🚆 train train2, 🚇 metro, 🚊 tram, 🚌 bus, 🚑 ambulance, 🚒 fire_engine, 🚓 police_car, 🚕 taxi
        🚗 automobile car red_car, 🚚 delivery_truck truck, 🚜 tractor, 🏍️ motorcycle racing_motorcycle
        🛵 motor_scooter, 🚲 bicycle bike, 🛴 kick_scooter, ⛽ fuel_pump fuelpump
        🚨 police_car_light rotating_light, 🚦 vertical_traffic_light, 🚧 construction, ⚓ anchor
        ⛵ sailboat boat, 🛶 canoe, 🚤 speedboat, 🚢 ship, ✈️ airplane, 🛫 airplane_departure flight_departure
        🛬 airplane_arrival airplane_arriving flight_arrival, 🪂 parachute, 🚁 helicopter, 🚀 rocket
        🛸 flying_saucer, 🧳 luggage, ⌛ hourglass_done hourglass, ⏳ hourglass_not_done hourglass_flowing_sand
        ⌚ watch, ⏰ alarm_clock, 🕐 one_oclock clock1, 🌑 new_moon, 🌕 full_moon, 🌙 crescent_moon
        🌞 sun_with_face, ☀️ sun sunny, ⭐ star, 🌟 glowing_star star2, 🌠 shooting_star stars, ☁️ cloud
        ⛅ sun_behind_cloud partly_sunny, 🌧️ cloud_with_rain
        ⛈️ cloud_with_lightning_and_rain thunder_cloud_and_rain, 🌩️ cloud_with_lightning, 🌨️ cloud_with_snow
        🌪️ tornado cloud_with_tornado, 🌫️ fog, 🌈 rainbow, ☔ umbrella_with_rain_drops umbrella
        ⚡ high_voltage zap, ❄️ snowflake, ⛄ snowman_without_snow snowman, ☄️ comet, 💧 droplet
        🌊 water_wave ocean, 🎃 jack_o_lantern, 🎄 christmas_tree, 🎆 fireworks, 🎇 sparkler, 🧨 firecracker
        ✨ sparkles, 🎈 balloon, 🎊 confetti_ball, 🎁 wrapped_gift gift, 🎟️ admission_tickets tickets, 🏆 trophy
        🏅 sports_medal medal_sports, 🥇 1st_place_medal, 🥈 2nd_place_medal, 🥉 3rd_place_medal
        ⚽ soccer_ball soccer, 🏀 basketball, 🏈 american_football football, 🎾 tennis, 🏐 volleyball, 🎳 bowling
        🏓 ping_pong table_tennis_paddle_and_ball, 🏸 badminton, 🥊 boxing_glove, 🎯 bullseye dart
        ⛳ flag_in_hole golf, 🎣 fishing_pole fishing_pole_and_fish, 🎿 skis ski, 🛷 sled, 🎮 video_game
        🎲 game_die, 🧩 puzzle_piece jigsaw, ♟️ chess_pawn, 🎭 performing_arts, 🎨 artist_palette art, 🧵 thread
        🧶 yarn, 👓 glasses eyeglasses, 🕶️ dark_sunglasses, 👕 t_shirt tshirt shirt, 👖 jeans, 🧣 scarf, 🧤 gloves
        🧥 coat, 🧦 socks, 👗 dress, 👟 running_shoe athletic_shoe, 🥾 hiking_boot, 👠 high_heeled_shoe high_heel
        🎒 backpack school_satchel, 🎩 top_hat tophat, 🎓 graduation_cap mortar_board, 💍 ring, 💎 gem_stone gem
        🔇 muted_speaker mute, 🔊 speaker_high_volume loud_sound, 📢 loudspeaker, 📣 megaphone mega, 🔔 bell
        🔕 bell_with_slash no_bell, 🎵 musical_note, 🎶 musical_notes notes, 🎤 microphone
        🎧 headphone headphones, 📻 radio, 🎷 saxophone, 🎸 guitar, 🎹 musical_keyboard, 🎺 trumpet, 🎻 violin
        🥁 drum, 📱 mobile_phone iphone, ☎️ telephone phone, 📞 telephone_receiver, 🔋 battery, 🔌 electric_plug
        💻 laptop computer, 🖨️ printer, ⌨️ keyboard, 🖱️ computer_mouse three_button_mouse, 💾 floppy_disk
        💿 optical_disk cd, 📺 television tv, 📷 camera, 📹 video_camera, 🔍 magnifying_glass_tilted_left mag
        🕯️ candle, 💡 light_bulb bulb, 🔦 flashlight, 📖 open_book book, 📚 books, 📓 notebook, 📰 newspaper
        🔖 bookmark, 💰 money_bag moneybag, 💵 dollar_banknote dollar, 💳 credit_card, ✉️ envelope
        📧 e_mail email, 📦 package, 📫 closed_mailbox_with_raised_flag mailbox, ✏️ pencil pencil2
        🖊️ pen lower_left_ballpoint_pen, 📝 memo, 📁 file_folder, 📅 calendar date
        📈 chart_increasing chart_with_upwards_trend, 📉 chart_decreasing chart_with_downwards_trend
        📊 bar_chart, 📌 pushpin, 📍 round_pushpin, 📎 paperclip, 📏 straight_ruler, ✂️ scissors, 🔒 locked lock
        🔓 unlocked unlock, 🔑 key, 🔨 hammer, 🪓 axe, ⛏️ pick, ⚙️ gear, 🧰 toolbox, 🧲 magnet, 🔧 wrench
        🔩 nut_and_bolt, 🧪 test_tube, 🔬 microscope, 🔭 telescope, 📡 satellite_antenna satellite, 💉 syringe
        🩹 adhesive_bandage, 💊 pill, 🚪 door, 🛏️ bed, 🪑 chair, 🚽 toilet, 🚿 shower, 🛁 bathtub, 🧹 broom
        🧺 basket, 🧻 roll_of_paper, 🧼 soap, 🛒 shopping_cart, 🚬 cigarette smoking, 🗑️ wastebasket, ⚠️ warning
        🚫 prohibited no_entry_sign, ⛔ no_entry, ☢️ radioactive radioactive_sign, ⬆️ up_arrow arrow_up
        ➡️ right_arrow arrow_right, ⬇️ down_arrow arrow_down, ⬅️ left_arrow arrow_left
        🔄 counterclockwise_arrows_button arrows_counterclockwise, ♻️ recycling_symbol recycle
        ⏸️ pause_button double_vertical_bar, ▶️ play_button arrow_forward
        ⏹️ stop_button black_square_for_stop, ⏩ fast_forward_button fast_forward
        ⏪ fast_reverse_button rewind, ❓ red_question_mark question
        ❗ red_exclamation_mark heavy_exclamation_mark exclamation, ‼️ double_exclamation_mark bangbang
        ➕ plus heavy_plus_sign, ➖ minus heavy_minus_sign, ✔️ check_mark heavy_check_mark, 🆗 ok_button ok
        🆘 sos_button sos, 🆕 new_button new, 🔴 red_circle, 🟠 orange_circle, 🟡 yellow_circle, 🟢 green_circle
        🔵 blue_circle large_blue_circle, 🟣 purple_circle, ⚫ black_circle, ⚪ white_circle
        🏁 chequered_flag checkered_flag, 🚩 triangular_flag triangular_flag_on_post
        🏴 black_flag waving_black_flag, 🏳️ white_flag waving_white_flag, 🏳️‍🌈 rainbow_flag, 🏴‍☠️ pirate_flag
        🫡 saluting_face, 🫠 melting_face, 🫶 heart_hands, 🫂 people_hugging, 🥲 smiling_face_with_tear
        🤌 pinched_fingers
        """
}
